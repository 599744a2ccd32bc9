// `tsc --strict` over some files, in one go.
import ts from 'typescript';

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
};

/** What the compiler says: `{ file, text }` each. */
export function diagnostics(files) {
  const program = ts.createProgram(files, OPTIONS);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const path = file?.fileName ?? '';
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return {
      file: path,
      text: `${path.split('/').at(-1)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    };
  });
}

/** Throws the first error. */
export function compiles(files) {
  const found = diagnostics(files);
  if (found.length) throw new Error(`${found.length} errors, first ${found[0].text}`);
}
