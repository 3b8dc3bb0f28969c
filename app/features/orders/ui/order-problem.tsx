import { useLingui } from '@lingui/react'
import { Notice } from '~/ui/notice'
import { orderProblem } from '../order-problems'

/** Why a press was not answered as wished. */
export function OrderProblem({ code }: { code: string | undefined }) {
  const { i18n } = useLingui()
  if (!code) return null
  return (
    <Notice tone="danger" urgent>
      {i18n._(orderProblem(code))}
    </Notice>
  )
}
