let kept = ''

/** The e-mail last written on the way between login, join and reset, so that nobody writes it twice. Only within the open page. */
export const keptEmail = {
  get: (): string => kept,
  keep: (email: string): void => {
    // What is kept on the server would reach another visitor.
    if (typeof window !== 'undefined') kept = email.trim()
  },
}
