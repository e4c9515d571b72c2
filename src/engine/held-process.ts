/** Whether objects of a native library would keep this process alive after its work is done. */

let held = false;

/** Called by those who start such a library. The program then ends explicitly. */
export function holdProcess(): void {
  held = true;
}

export function isProcessHeld(): boolean {
  return held;
}
