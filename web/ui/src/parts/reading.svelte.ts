// A value that a page reads when it opens, on request, and when the values on which it depends change. The last reading counts. Created
// while a component is set up, and ends with it.

/** One thing that is read. */
export class Reading<Result> {
  readonly #before: Result;
  #result: Result;
  #attempt = $state.raw(0);

  /** `read` never rejects; what it uses before its first pause decides when it is called again. `before` is the result until then. */
  constructor(before: Result, read: () => Promise<Result>) {
    this.#before = before;
    this.#result = $state.raw(before);
    $effect(() => {
      void this.#attempt;
      let isLast = true;
      this.#result = before;
      void read().then((result) => {
        if (isLast) this.#result = result;
      });
      return () => {
        isLast = false;
      };
    });
  }

  get result(): Result {
    return this.#result;
  }

  /** Reads it again. Until it arrives, there is no value. */
  again(): void {
    this.#result = this.#before;
    this.#attempt += 1;
  }
}
