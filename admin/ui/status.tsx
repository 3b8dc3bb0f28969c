import type { I18n, MessageDescriptor } from '@lingui/core'
import { useLingui } from '@lingui/react'
import type { ComponentProps } from 'react'
import { Badge } from '~/ui/chip'

interface Status {
  label: MessageDescriptor
  tone: ComponentProps<typeof Badge>['tone']
}

/** How the values of a status are shown. */
export type Statuses<Value extends string> = Readonly<Record<Value, Status>>

export function StatusBadge({ status: { label, tone } }: { status: Status }) {
  const { i18n } = useLingui()
  return <Badge tone={tone}>{i18n._(label)}</Badge>
}

/** The values of a status to choose from. */
export const statusChoices = <Value extends string>(
  i18n: I18n,
  values: readonly Value[],
  statuses: Statuses<Value>,
): { value: Value; label: string }[] => values.map((value) => ({ value, label: i18n._(statuses[value].label) }))
