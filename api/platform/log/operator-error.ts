/**
 * A problem that the operator can fix. Programs and commands print its message without a stack and
 * exit.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}
