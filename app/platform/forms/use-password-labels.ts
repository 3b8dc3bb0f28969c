import { useLingui } from '@lingui/react/macro'
import { labels } from '~/platform/labels'

/** What password fields and the meter beneath them say. */
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
    /** What a new password needs, said before it is refused. */
    rule: t`At least 8 characters. A few random words are easy to remember and hard to guess.`,
  }
}
