// Our types are assignable to those of @ag-ui/core, and theirs to ours.
import type * as core from '@ag-ui/core';
import type * as ours from '../../schemas/agui/1.0/events.js';

/** core's reader fills in these two; on the wire they may be absent. */
type Input = Omit<core.RunAgentInput, 'tools' | 'context'> & Partial<Pick<core.RunAgentInput, 'tools' | 'context'>>;

/** core's `type` is an enum, which takes no text; on the wire it is one. */
type OnWire<Event> = Event extends { type: infer Type extends core.EventType }
  ? Omit<Event, 'type' | 'input'> & { type: `${Type}` } & (Event extends { input?: core.RunAgentInput }
        ? { input?: Input }
        : unknown)
  : never;

type Assignable<From extends To, To> = From;

export type Checked = [
  Assignable<core.AGUIEvent, ours.AguiKnownEvent>,
  Assignable<ours.AguiKnownEvent, OnWire<core.AGUIEvent>>,
  Assignable<core.Message, ours.AguiMessage>,
  Assignable<ours.AguiMessage, core.Message>,
  Assignable<core.RunAgentInput, ours.AguiRunAgentInput>,
  Assignable<ours.AguiRunAgentInput, Input>,
  Assignable<core.AgentCapabilities, ours.AguiAgentCapabilities>,
  Assignable<ours.AguiAgentCapabilities, core.AgentCapabilities>,
];
