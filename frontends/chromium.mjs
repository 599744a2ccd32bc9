// A page in headless Chromium that may neither make code nor fetch from elsewhere.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';
import { Missing } from './lib.mjs';

const TYPES = { '.mjs': 'text/javascript', '.js': 'text/javascript', '.json': 'application/json' };
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Runs `script(argument)` in a page whose server has the files of `root`. */
export async function inChromium(root, script, argument) {
  if (!existsSync(CHROMIUM)) throw new Missing(`there is no ${CHROMIUM}; install the package chromium`);
  const server = createServer((request, response) => {
    const path = join(root, normalize(new URL(request.url, 'http://page').pathname));
    response.setHeader('Content-Security-Policy', "default-src 'self'");
    if (request.url === '/')
      return response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>page</title>');
    if (!TYPES[extname(path)] || !existsSync(path)) return response.writeHead(404).end();
    response.setHeader('Content-Type', TYPES[extname(path)]).end(readFileSync(path));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return await page.evaluate(script, argument);
  } finally {
    await browser.close();
    server.close();
  }
}
