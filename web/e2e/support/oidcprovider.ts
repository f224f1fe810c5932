// The provider of npm's `oidc-provider` on loopback, with its default settings: claims are in `userinfo` and not in the ID token.
// It is configured only with the client, the accounts and the names of their claims.

import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Provider as OidcProvider } from 'oidc-provider';

/** The client, which is the service. */
export const CLIENT = { id: 'quizhall', secret: 'a secret/of the client' } as const;

/** Ends with the test that started it. */
export class DefaultProvider {
  readonly #http: HttpServer = createServer();

  /** Listens, so that its address is known; it answers once `serve` is called. */
  static async listen(): Promise<DefaultProvider> {
    const provider = new DefaultProvider();
    provider.#http.listen(0, '127.0.0.1');
    await once(provider.#http, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#http.address() as AddressInfo).port)}`;
  }

  /** Signs in each person who types a name, with these additional claims, and sends browsers back to `redirect`. */
  serve(redirect: string, claims: Readonly<Record<string, unknown>>): void {
    const provider = new OidcProvider(this.url, {
      clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirect] }],
      claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...claims }) }),
    });
    const answer = provider.callback();
    this.#http.on('request', (request, response) => void answer(request, response));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.closeAllConnections();
    this.#http.close();
    await once(this.#http, 'close');
  }
}
