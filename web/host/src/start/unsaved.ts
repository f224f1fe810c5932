// What this device has of a quiz and the server does not, when a game of it is to be started: whether it is saved first, or what keeps it
// from being saved. A game never starts from an older version without a word.

import type { HostApi, Quiz } from '$sdk';

import { bodyOf, documentOf } from '../editor/body.ts';
import type { Draft } from '../editor/draft.ts';
import { type Mistake, mistakesOf } from '../editor/mistakes.ts';
import { QuizWriter } from '../editor/writer.ts';

/** `saves`: it is written before the game is created. `other`: the quiz was changed elsewhere since, so a person decides. */
export type Unsaved = { readonly kind: 'saves' | 'other' } | { readonly kind: 'fault'; readonly mistake: Mistake };

/** What the draft is beside the quiz of the server, which may not have it; null when the server has all of it. */
export function unsavedOf(draft: Draft, stored: Quiz | null): Unsaved | null {
  if (stored && isSame(draft, stored)) return null;
  const [mistake] = mistakesOf(draft.document);
  if (mistake) return { kind: 'fault', mistake };
  return { kind: stored === null || stored.updatedAt === draft.base ? 'saves' : 'other' };
}

function isSame({ document }: Draft, stored: Quiz): boolean {
  // Words of a true-or-false question that is new: a written quiz has its own.
  const theirs = bodyOf(documentOf(stored, ['', '']));
  return JSON.stringify(bodyOf(document)) === JSON.stringify(theirs) && mistakesOf(document).length === 0;
}

/** Writes the draft; the id of the quiz. */
export async function saveDraft(api: HostApi, { document, base }: Draft, storedId: string | null): Promise<string> {
  let id = storedId;
  const writer = new QuizWriter(api, storedId, {
    created: (made) => {
      id = made;
    },
    replaced: () => undefined,
  });
  writer.beganFrom(base);
  await writer.write(bodyOf(document));
  if (id === null) throw new Error('a written quiz has an id');
  return id;
}
