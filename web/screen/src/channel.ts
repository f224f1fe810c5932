// How a window that the host's page has opened gets its link: it asks over a BroadcastChannel of the game, and the page that runs the game
// answers. From then on the window is a screen like any other and does not depend on a page.

/** `id` is that of the window. */
type Message = { readonly kind: 'ask'; readonly id: string } | { readonly kind: 'link'; readonly id: string; readonly link: string };

/** How often a window repeats a request without an answer: the host's page may be loading or have no connection. */
const ASK_EVERY_MS = 1_000;

/** How many windows are remembered with their links. */
const MOST = 8;

const name = (gameId: string): string => `quizhall.screen.${gameId}`;

/**
 * Answers windows of this game with the result of `make`; null sends no answer. A window that asks again, because its first request takes
 * long, gets the same link. Returns a function that stops it.
 */
export function answerScreens(gameId: string, make: () => Promise<string | null>): () => void {
  const channel = new BroadcastChannel(name(gameId));
  const links = new Map<string, Promise<string | null>>();
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'ask') return;
    const { id } = data;
    const making = links.get(id) ?? make();
    links.set(id, making);
    const [oldest] = links.keys();
    if (links.size > MOST && oldest !== undefined) links.delete(oldest);
    void making.then((link) => {
      if (link === null) links.delete(id);
      else channel.postMessage({ kind: 'link', id, link } satisfies Message);
    });
  };
  return () => {
    channel.close();
  };
}

/** Asks for the link of a screen until it arrives. Returns a function that stops it. */
export function askForLink(gameId: string, got: (link: string) => void): () => void {
  const channel = new BroadcastChannel(name(gameId));
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
  const ask = (): void => {
    channel.postMessage({ kind: 'ask', id } satisfies Message);
  };
  const timer = setInterval(ask, ASK_EVERY_MS);
  const stop = (): void => {
    clearInterval(timer);
    channel.close();
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'link' || data.id !== id) return;
    stop();
    got(data.link);
  };
  ask();
  return stop;
}
