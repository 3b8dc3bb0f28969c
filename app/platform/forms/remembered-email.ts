let remembered = ''

/**
 * The email last entered on login, join or reset, so that nobody types it twice. It lives in the
 * memory of the open page alone.
 */
export const rememberedEmail = {
  get: (): string => remembered,
  set: (email: string): void => {
    // On the server the value would reach another visitor.
    if (typeof window !== 'undefined') remembered = email.trim()
  },
}
