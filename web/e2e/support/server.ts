// The real server as a process: started on a free port of loopback with its own data, killed, stopped, started again.
// Used by every browser test; ends with the test that started it.

import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const BINARY = process.env.QUIZHALL_BINARY ?? resolve(import.meta.dirname, '../../../target/debug/quizhall');
/** A machine that is busy with other tests may take long; a process that has ended is noticed at once. */
const STARTS_WITHIN_MS = 60_000;

/** A server that can be killed and started again. */
export class Server {
  readonly #folder: string;
  readonly #port: number;
  readonly #settings: Readonly<Record<string, string>>;
  #process: ChildProcess | null = null;
  #said = '';

  private constructor(folder: string, port: number, settings: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#port = port;
    this.#settings = settings;
  }

  /**
   * Starts one without accounts and games, or with the data of another one that was stopped. `settings` are environment
   * variables of docs/reference/configuration.md, in which `{url}` is the address of the server.
   */
  static async start(settings: Readonly<Record<string, string>> = {}, like?: Server): Promise<Server> {
    const folder = await mkdtemp(join(tmpdir(), 'quizhall-e2e-'));
    if (like) await cp(like.#folder, folder, { recursive: true });
    const server = new Server(folder, await freePort(), settings);
    await server.start();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  /** The one-time link for the first account, as the server printed it. */
  get setUpLink(): string {
    const link = /http\S+\/setup#\S+/.exec(this.#said)?.[0];
    if (!link) throw new Error('the server printed no set-up link');
    return link;
  }

  /** Starts it again on the same port and data. */
  async start(): Promise<void> {
    this.#said = '';
    const child = spawn(BINARY, [], {
      cwd: this.#folder,
      env: {
        PATH: process.env.PATH ?? '',
        BIND_ADDR: `127.0.0.1:${String(this.#port)}`,
        DATABASE_URL: `sqlite://${join(this.#folder, 'quizhall.db')}`,
        SIGN_INS_PER_MINUTE_PER_ADDRESS: '1000',
        DRAIN_LAME_DUCK: '0s',
        DRAIN_SPREAD: '1s',
        ...Object.fromEntries(Object.entries(this.#settings).map(([name, value]) => [name, value.replace('{url}', this.url)])),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#said += text));
    const deadline = Date.now() + STARTS_WITHIN_MS;
    while (!this.#said.includes('Players:') || !(await this.#answers())) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the server did not start: ${this.#said}`);
      await new Promise((done) => setTimeout(done, 25));
    }
  }

  /** Kills it with SIGKILL, so that no connection is closed in order. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Stops it as an operator does: SIGTERM and drain. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Stops it and starts a new process. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Suspends the process: its sockets stay open and send nothing. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }

  /** The process continues. */
  thaw(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Called at the end of the test. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async #answers(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/readyz`)).ok;
    } catch {
      return false;
    }
  }
}

/** A free port below 32768: from there on the system chooses ports for connections of other tests, also between two starts of a server. */
async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(11_000, 32_768);
    const probe = createServer().listen(port, '127.0.0.1');
    try {
      await once(probe, 'listening');
    } catch {
      continue;
    }
    probe.close();
    await once(probe, 'close');
    return port;
  }
  throw new Error('no port is free');
}
