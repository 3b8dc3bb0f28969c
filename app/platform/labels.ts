import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

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

/** How a yes or a no is shown, wherever one is. */
export const yesOrNo = (value: boolean): MessageDescriptor => (value ? labels.yes : labels.no)
