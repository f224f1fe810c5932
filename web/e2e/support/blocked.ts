// A network that lets pages through but no live connection: a proxy on loopback in front of the server, which refuses the upgrade of
// a socket.

import { once } from 'node:events';
import { createServer, request, type Server as Listener } from 'node:http';
import { connect, type Socket } from 'node:net';

/** One proxy. */
export class Blocked {
  readonly #listener: Listener;
  readonly #sockets = new Set<Socket>();
  #isOpen = false;

  private constructor(port: number) {
    this.#listener = createServer((asked, answer) => {
      const { method, url: path, headers } = asked;
      const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.pipe(answer);
      });
      onward.on('error', () => answer.destroy());
      asked.pipe(onward);
    });
    this.#listener.on('connection', (socket) => this.#sockets.add(socket.on('error', () => socket.destroy())));
    this.#listener.on('upgrade', ({ url: path, rawHeaders }, socket: Socket) => {
      if (this.#isOpen) {
        const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1] ?? ''}`] : []));
        const onward = connect(port, '127.0.0.1', () => onward.write(`GET ${path ?? ''} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`));
        this.#sockets.add(onward.on('error', () => socket.destroy()).on('close', () => socket.destroy()));
        socket.on('close', () => onward.destroy());
        onward.pipe(socket).pipe(onward);
      } else socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    });
  }

  static async before(port: number): Promise<Blocked> {
    const proxy = new Blocked(port);
    proxy.#listener.listen(0, '127.0.0.1');
    await once(proxy.#listener, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.#listener.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return `http://127.0.0.1:${String(address.port)}`;
  }

  /** From now on the proxy lets sockets through. */
  open(): void {
    this.#isOpen = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#listener, 'close');
  }
}
