import { useLingui } from '@lingui/react/macro'
import type { ComponentPropsWithRef } from 'react'
import { IconButton } from '~/ui/button'

/** Opens the menu of a comment. */
export function MoreButton(props: ComponentPropsWithRef<'button'>) {
  const { t } = useLingui()
  return <IconButton icon="more" size="s" aria-haspopup="menu" {...props} label={t`Comment options`} />
}
