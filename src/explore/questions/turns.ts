/** Lets a long loop give the page a turn now and then, so that it can draw and answer the visitor. */

/** Milliseconds of work between two turns: a frame at 60 Hz has 16. */
const WORK = 10;

/** Asks for a turn when the loop has worked for long enough: `if (turns.due()) await turns.take();` */
export class Turns {
  #since = performance.now();

  due(): boolean {
    return performance.now() - this.#since > WORK;
  }

  async take(): Promise<void> {
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    this.#since = performance.now();
  }
}
