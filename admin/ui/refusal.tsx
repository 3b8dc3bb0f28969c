import { useLingui } from '@lingui/react/macro'
import { Notice } from '~/ui/notice'
import { type Failure, failureText } from '../platform/failure'

/** Why a write was refused, above the fields of its form. */
export function Refusal({ failure }: { failure: Failure | undefined }) {
  const { i18n } = useLingui()
  if (!failure) return null
  return (
    <Notice tone="danger" urgent>
      {failureText(i18n, failure)}
    </Notice>
  )
}
