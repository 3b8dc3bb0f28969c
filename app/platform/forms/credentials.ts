import { useLingui } from '@lingui/react/macro'
import { labels } from '~/platform/labels'

/** The labels of password fields and of the strength meter. */
export function usePasswordLabels() {
  const { t, i18n } = useLingui()
  return {
    toggle: { show: t`Show password`, hide: t`Hide password` },
    meter: {
      weak: i18n._(labels.weak),
      medium: i18n._(labels.medium),
      strong: i18n._(labels.strong),
      empty: i18n._(labels.enterPassword),
    },
    /** The requirements of a new password, shown in advance. */
    rule: t`At least 8 characters. A few random words are easy to remember and hard to guess.`,
  }
}

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
