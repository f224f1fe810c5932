// How a window that the host's page has opened gets its link: it asks over a BroadcastChannel of the game, and the page that runs the game
// answers. From then on the window is a screen like any other and does not depend on a page.

type Message = { readonly kind: 'ask' } | { readonly kind: 'link'; readonly link: string };

/** How often a window repeats a request without an answer: the host's page may be loading or have no connection. */
const ASK_EVERY_MS = 1_000;

const name = (gameId: string): string => `quizhall.screen.${gameId}`;

/** Answers windows of this game with the result of `make`; null sends no answer. Returns a function that stops it. */
export function answerScreens(gameId: string, make: () => Promise<string | null>): () => void {
  const channel = new BroadcastChannel(name(gameId));
  let making = false;
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'ask' || making) return;
    making = true;
    void make()
      .then((link) => {
        if (link !== null) channel.postMessage({ kind: 'link', link } satisfies Message);
      })
      .finally(() => {
        making = false;
      });
  };
  return () => {
    channel.close();
  };
}

/** Asks for the link of a screen until it arrives. Returns a function that stops it. */
export function askForLink(gameId: string, got: (link: string) => void): () => void {
  const channel = new BroadcastChannel(name(gameId));
  const ask = (): void => {
    channel.postMessage({ kind: 'ask' } satisfies Message);
  };
  const timer = setInterval(ask, ASK_EVERY_MS);
  const stop = (): void => {
    clearInterval(timer);
    channel.close();
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'link') return;
    stop();
    got(data.link);
  };
  ask();
  return stop;
}
