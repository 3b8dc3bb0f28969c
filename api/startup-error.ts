/** Something the operator can put right before the program can start. Shown as its one sentence, without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}
