// Game codes as people type, paste and link them. Used by the join form and by main.ts; independent of the server.

/** The symbols of a code. 0, O, 1, I and L are left out, because they look alike. */
const CODE = /^[A-HJKMNP-Z2-9]{6}$/;

/** The code in a typed or pasted text ("abc 234", "ＡＢＣ２３４", a whole join link): upper case, without gaps. */
export function tidyCode(typed: string): string {
  const linked = /[?&]code=([^&#\s]+)/i.exec(typed)?.[1];
  return (linked ?? typed).normalize('NFKC').toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** Whether this tidy text can be a code. */
export function isCode(tidy: string): boolean {
  return CODE.test(tidy);
}

/** A code as it is shown everywhere: `ABC 234`. */
export function shownCode(tidy: string): string {
  return tidy.length === 6 ? `${tidy.slice(0, 3)} ${tidy.slice(3)}` : tidy;
}

/** The code in a join link; null when the address has none. */
export function codeIn(address: string): string | null {
  const asked = new URL(address).searchParams.get('code');
  return asked === null ? null : tidyCode(asked).slice(0, 12);
}

/** The code of a seat in the fragment of a link that moves one; null when there is none. */
export function seatIn(address: string): string | null {
  const seat = /^#seat=([^&]+)/.exec(new URL(address).hash)?.[1];
  return seat === undefined ? null : tidyCode(seat).slice(0, 12);
}

/** The symbols of a team's code. */
const TEAM = /^[A-HJKMNP-Z2-9]{4}$/;

/** The team code in a typed or pasted text, which may be a whole link of a team. */
export function tidyTeam(typed: string): string {
  return tidyCode(/#team=([^&\s]+)/i.exec(typed)?.[1] ?? typed);
}

/** Whether this tidy text can be a team's code. */
export function isTeam(tidy: string): boolean {
  return TEAM.test(tidy);
}

/** The code of a team in the fragment of its link; null when there is none. */
export function teamIn(address: string): string | null {
  const team = /^#team=([^&]+)/.exec(new URL(address).hash)?.[1];
  return team === undefined ? null : tidyCode(team).slice(0, 8);
}

/** The link with which further phones join a team. */
export function teamLink(origin: string, gameCode: string, team: string): string {
  return `${origin}/?code=${gameCode}#team=${team}`;
}

/**
 * The same address with this code, as a join link has it; '' removes the code. The code of a seat is removed, and without a game code also
 * that of a team.
 */
export function withCode(address: string, code: string): string {
  const url = new URL(address);
  url.searchParams.delete('code');
  if (code !== '') url.searchParams.set('code', code);
  if (url.hash.startsWith('#seat=') || (code === '' && url.hash.startsWith('#team='))) url.hash = '';
  return url.pathname + url.search + url.hash;
}
