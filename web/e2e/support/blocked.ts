// A network that lets pages through but no live connection: a proxy on loopback in front of the server, which treats the upgrade of
// a socket as such networks do.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server as Listener } from 'node:http';
import { connect, type Socket } from 'node:net';

/** The treatment of the upgrade: a refusal, no answer, a socket that sends nothing, or one that is closed at once. */
export type Treatment = 'refused' | 'unanswered' | 'silent' | 'closed';

const OF_WEBSOCKETS = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** One proxy. */
export class Blocked {
  readonly #listener: Listener;
  readonly #sockets = new Set<Socket>();
  #treatment: Treatment | null;

  private constructor(port: number, treatment: Treatment) {
    this.#treatment = treatment;
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
    this.#listener.on('upgrade', ({ url: path, headers, rawHeaders }, socket: Socket) => {
      if (this.#treatment === null) {
        const lines = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1] ?? ''}`] : []));
        const onward = connect(port, '127.0.0.1', () => onward.write(`GET ${path ?? ''} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`));
        this.#sockets.add(onward.on('error', () => socket.destroy()).on('close', () => socket.destroy()));
        socket.on('close', () => onward.destroy());
        onward.pipe(socket).pipe(onward);
      } else this.#block(socket, headers['sec-websocket-key'] ?? '');
    });
  }

  static async before(port: number, treatment: Treatment): Promise<Blocked> {
    const proxy = new Blocked(port, treatment);
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
    this.#treatment = null;
  }

  /** From now on it treats new sockets like this. */
  treat(treatment: Treatment): void {
    this.#treatment = treatment;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#listener, 'close');
  }

  #block(socket: Socket, key: string): void {
    if (this.#treatment === 'refused') socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n');
    if (this.#treatment !== 'silent' && this.#treatment !== 'closed') return;
    const accept = createHash('sha1').update(key + OF_WEBSOCKETS).digest('base64');
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`];
    socket.write(`${[...lines, 'Sec-WebSocket-Protocol: quizhall.v1'].join('\r\n')}\r\n\r\n`);
    if (this.#treatment === 'closed') socket.end();
  }
}
