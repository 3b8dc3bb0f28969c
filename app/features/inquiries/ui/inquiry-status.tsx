import { useLingui } from '@lingui/react'
import type { CaseStatus } from '#contract/enumerations.ts'
import { Badge } from '~/ui/badge'
import { inquiryStatuses } from '../inquiry-words'

export function InquiryStatus({ status }: { status: CaseStatus }) {
  const { i18n } = useLingui()
  const { label, tone } = inquiryStatuses[status]
  return <Badge tone={tone}>{i18n._(label)}</Badge>
}
