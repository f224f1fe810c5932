// A connection between one browser and the server that can be cut (connections reset, none accepted), choked (bytes are lost,
// nothing is closed), and repaired. A TCP proxy on loopback; the page is opened at its address.

import { once } from 'node:events';
import { connect, createServer, type Server as Listener, type Socket } from 'node:net';

/** One cable. */
export class Cable {
  readonly #listener: Listener;
  /** The sockets on the browser's side. */
  readonly #nears = new Set<Socket>();
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  readonly #target: number;
  #state: 'whole' | 'cut' | 'choked' = 'whole';

  private constructor(target: number) {
    this.#target = target;
    this.#listener = createServer((near) => {
      this.#connected(near);
    });
  }

  /** A cable to a port of this machine. */
  static async to(port: number): Promise<Cable> {
    const cable = new Cable(port);
    cable.#listener.listen(0, '127.0.0.1');
    await once(cable.#listener, 'listening');
    return cable;
  }

  /** The address that the browser opens. */
  get url(): string {
    const address = this.#listener.address();
    if (address === null || typeof address === 'string') throw new Error('the cable is not laid');
    return `http://127.0.0.1:${String(address.port)}`;
  }

  /** Resets every connection, and every new one. */
  cut(): void {
    this.#state = 'cut';
    for (const near of this.#nears) near.resetAndDestroy();
    for (const [, far] of this.#pairs) far.destroy();
  }

  /** Connections stay open but carry nothing, as with a dead radio. */
  choke(): void {
    this.#state = 'choked';
    for (const [near, far] of this.#pairs) {
      near.pause();
      far.pause();
    }
  }

  /** New connections work again; choked ones are lost. */
  mend(): void {
    if (this.#state === 'choked') this.cut();
    this.#state = 'whole';
  }

  /** Called at the end of the test. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.#listener.close();
    await once(this.#listener, 'close');
  }

  #connected(near: Socket): void {
    this.#nears.add(near);
    near.on('error', () => near.destroy()).on('close', () => this.#nears.delete(near));
    if (this.#state === 'cut') {
      near.resetAndDestroy();
      return;
    }
    if (this.#state === 'choked') {
      near.pause();
      return;
    }
    const far = connect(this.#target, '127.0.0.1');
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    const gone = () => {
      this.#pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    near.on('close', gone);
    far.on('close', gone).on('error', gone);
    near.pipe(far).pipe(near);
  }
}
