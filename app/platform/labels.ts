import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'

/** The labels every part of the interface shares, so that one thing has one name. */
export const labels = {
  yes: msg`Yes`,
  no: msg`No`,
  weak: msg`Weak`,
  medium: msg`Medium`,
  strong: msg`Strong`,
  enterPassword: msg`Enter a password`,
  noResults: msg`No results found`,
  close: msg`Close`,
  tryAgain: msg`Try again`,
} as const

/** The labels of boolean values. */
export const yesOrNo = (value: boolean): MessageDescriptor => (value ? labels.yes : labels.no)

/** The labels of pagination links. */
export function usePaginationLabels() {
  const { t } = useLingui()
  return {
    name: t`Pages`,
    previous: t`Previous page`,
    next: t`Next page`,
    page: (number: number) => t`Page ${number}`,
  }
}
