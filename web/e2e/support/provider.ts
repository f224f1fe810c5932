// An OpenID Connect provider on loopback for the browser tests: a page for choosing an account, a code, a signed ID token.

import { generateKeyPairSync, createHash, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The accounts that the page offers. */
const ACCOUNTS = [
  { email: 'ann@example.org', name: 'Ann' },
  { email: 'eve@example.net', name: 'Eve' },
];

interface Grant {
  readonly challenge: string;
  readonly claims: Record<string, unknown>;
}

/** The provider; it ends with the test that started it. */
export class Provider {
  readonly #http: HttpServer;
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #grants = new Map<string, Grant>();

  private constructor(http: HttpServer) {
    this.#http = http;
  }

  static async start(): Promise<Provider> {
    const provider = new Provider(createServer());
    provider.#http.on('request', (request: IncomingMessage, response) => {
      void provider.#answer(request).then(({ type, body }) => response.writeHead(200, { 'Content-Type': type }).end(body));
    });
    provider.#http.listen(0, '127.0.0.1');
    await once(provider.#http, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#http.address() as AddressInfo).port)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    this.#http.close();
    await once(this.#http, 'close');
  }

  async #answer(request: IncomingMessage): Promise<{ type: string; body: string }> {
    const url = new URL(request.url ?? '/', this.url);
    if (url.pathname === '/authorize') return { type: 'text/html', body: this.#page(url.searchParams) };
    const answers: Record<string, () => unknown> = {
      '/.well-known/openid-configuration': () => ({
        issuer: this.url,
        authorization_endpoint: `${this.url}/authorize`,
        token_endpoint: `${this.url}/token`,
        jwks_uri: `${this.url}/keys`,
      }),
      '/keys': () => ({ keys: [{ ...this.#key.publicKey.export({ format: 'jwk' }), kid: '1' }] }),
    };
    const body = url.pathname === '/token' ? this.#token(await formOf(request)) : answers[url.pathname]?.();
    return { type: 'application/json', body: JSON.stringify(body ?? {}) };
  }

  #page(asked: URLSearchParams): string {
    const links = ACCOUNTS.map(({ email, name }) => {
      const code = randomUUID();
      const claims = { sub: email, email, email_verified: true, name, nonce: asked.get('nonce') };
      this.#grants.set(code, { challenge: asked.get('code_challenge') ?? '', claims });
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString();
      return `<p><a href="${back.href.replaceAll('&', '&amp;')}">Go on as ${email}</a></p>`;
    });
    return `<!doctype html><title>Provider</title><h1>Provider</h1>${links.join('')}`;
  }

  #token(form: URLSearchParams): unknown {
    const grant = this.#grants.get(form.get('code') ?? '');
    this.#grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256').update(form.get('code_verifier') ?? '').digest('base64url');
    if (grant?.challenge !== challenge) return { error: 'invalid_grant' };
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: this.url, aud: 'quizhall', iat: now, exp: now + 300, ...grant.claims };
    const text = [{ alg: 'ES256', kid: '1' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const signature = sign('sha256', Buffer.from(text), { key: this.#key.privateKey, dsaEncoding: 'ieee-p1363' });
    return { token_type: 'Bearer', access_token: 'unused', id_token: `${text}.${signature.toString('base64url')}` };
  }
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk);
  return new URLSearchParams(text);
}
