// Errors as sentences of the page. The server's own details are in English and for programs, so they are never shown. Used wherever the
// host's page calls the server.

import { ApiError, NetworkError } from '$sdk';
import { count, m } from '$words/language.svelte.ts';

/** The sentence for an error; `special` contains better sentences for certain kinds of problems (`name-taken`). */
export function problemWords(error: unknown, special: Readonly<Record<string, () => string>> = {}): string {
  if (error instanceof NetworkError) return m.host_problem_network();
  if (!(error instanceof ApiError)) return m.host_problem_unexpected();
  const own = special[error.type];
  if (own) return own();
  switch (error.type) {
    case 'unauthorized':
      return m.host_problem_signed_out();
    case 'not-found':
    case 'no-such-game':
      return m.host_problem_gone();
    case 'too-many-games':
      return m.host_problem_games();
    case 'too-many-quizzes':
      return m.host_problem_quizzes();
    case 'too-large':
      return m.host_problem_large();
    case 'too-often':
      return m.host_problem_often({ seconds: count(error.retryAfter ?? 60) });
    case 'busy':
    case 'storage-unavailable':
      return m.host_problem_busy();
    default:
      return m.host_problem_other({ status: String(error.status) });
  }
}
