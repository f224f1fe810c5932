// What keeps a quiz off the server, in one sentence with its place. The server takes a quiz only as a whole, and a picture only with a
// description: players who cannot see it, and plain clients, get nothing else. So one fault keeps the latest changes on this device. The
// editor and the home page say which one.

import * as m from '$words/generated/messages.js';

import type { QuizDocument } from './document.ts';
import { type Mistake, mistakeWords } from './mistakes.ts';

/** A mistake with the place that it has. */
export function placedWords({ rounds }: QuizDocument, { round, question, code }: Mistake): string {
  const at = rounds.findIndex(({ key }) => key === round);
  const number = (rounds[at]?.questions.findIndex(({ key }) => key === question) ?? -1) + 1;
  const mistake = mistakeWords(code);
  const place = { round: at + 1, number };
  const isOneRound = rounds.length === 1;
  if (number > 0 && code === 'alt_missing') return isOneRound ? m.host_fault_alt({ number }) : m.host_fault_alt_round(place);
  if (number > 0) return isOneRound ? m.host_fault_question({ number, mistake }) : m.host_fault_question_round({ ...place, mistake });
  return at >= 0 && !isOneRound ? m.host_fault_round({ round: at + 1, mistake }) : mistake;
}
