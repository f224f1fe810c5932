// A join link in the words that people type.

/** Without scheme, query and closing slash: `http://quiz.local:8080/?code=ABC234` is `quiz.local:8080`. */
export function typedAddress(link: string): string {
  return link
    .replace(/^[a-z]+:\/\//i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '');
}
