import { Trans, useLingui } from '@lingui/react/macro'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { AuditReference } from '#contract/admin/audit.ts'
import {
  bannerId,
  bulkJobId,
  customerCode,
  faqId,
  inquiryCode,
  mailId,
  memberId,
  noticeId,
  orderCode,
  planId,
  productCode,
  videoId,
  webhookEndpointId,
} from '#contract/ids.ts'
import { IconButton } from '~/ui/button'
import { Badge } from '~/ui/chip'
import { useAuditNames } from '../../ui/audit-names'
import styles from './audit-log.module.css'

/** The page of an object by its key; null for a key of another form. */
type PageOf = (key: string) => LinkProps | null

const withKey =
  <Key,>(schema: z.ZodMiniType<Key>, link: (key: Key) => LinkProps): PageOf =>
  (key) => {
    const parsed = schema.safeParse(key)
    return parsed.success ? link(parsed.data) : null
  }

/** The pages of what the log names, by the first part of its subjects. */
const pages: Readonly<Record<string, PageOf>> = {
  address: (q) => ({ to: '/suppressed-addresses', search: { q } }),
  banner: withKey(bannerId, (id) => ({ to: '/content/banners/$id', params: { id } })),
  banners: () => ({ to: '/content/banners' }),
  bulk: withKey(bulkJobId, (id) => ({ to: '/bulk-jobs/$id', params: { id } })),
  case: () => ({ to: '/cases' }),
  catalog: () => ({ to: '/imports' }),
  categories: () => ({ to: '/categories' }),
  comments: () => ({ to: '/comments' }),
  domains: () => ({ to: '/store/domains' }),
  faq: (key) => (key === '' ? { to: '/content/faq' } : faqPage(key)),
  inquiry: withKey(inquiryCode, (code) => ({ to: '/inquiries/$code', params: { code } })),
  'inquiry-topics': () => ({ to: '/inquiry-topics' }),
  mail: withKey(mailId, (id) => ({ to: '/mails/$id', params: { id } })),
  mails: () => ({ to: '/mails' }),
  'mail-server': () => ({ to: '/store/mail-server' }),
  member: withKey(memberId, (id) => ({ to: '/members/$id', params: { id } })),
  notice: withKey(noticeId, (id) => ({ to: '/content/notices/$id', params: { id } })),
  operator: () => ({ to: '/staff/tokens' }),
  order: withKey(orderCode, (code) => ({ to: '/orders/$code', params: { code } })),
  page: (type) => ({ to: '/content/pages/$type', params: { type } }),
  pages: () => ({ to: '/content/pages' }),
  'payment-accounts': () => ({ to: '/store/payments' }),
  plan: withKey(planId, (id) => ({ to: '/plans/$id', params: { id } })),
  plans: () => ({ to: '/plans' }),
  product: withKey(productCode, (code) => ({ to: '/products/$code', params: { code } })),
  'product-comments': withKey(productCode, (product) => ({ to: '/comments/all', search: { product } })),
  'saved-reply': () => ({ to: '/saved-replies' }),
  settings: () => ({ to: '/settings' }),
  staff: () => ({ to: '/staff' }),
  'staff-invitation': () => ({ to: '/staff' }),
  'staff-role': () => ({ to: '/staff/roles' }),
  store: (key) => (key === '' ? { to: '/store' } : storePage(key)),
  video: withKey(videoId, (id) => ({ to: '/videos/$id', params: { id } })),
  'video-job': () => ({ to: '/jobs' }),
  webhook: withKey(webhookEndpointId, (id) => ({ to: '/webhooks/$id', params: { id } })),
}
const faqPage = withKey(faqId, (id) => ({ to: '/content/faq/$id', params: { id } }))
const storePage = withKey(customerCode, (code) => ({ to: '/stores/$code', params: { code } }))

/** `product:{code} lesson:{id}` is shown on the page of the product. */
const linkTo = (page: string): LinkProps | null => {
  const [, kind = page, key = ''] = /^([a-z-]+):(\S+)/.exec(page) ?? []
  return pages[kind]?.(key) ?? null
}

/** A name, with a link to the page of what it names where there is one. */
export function AuditName({ of: { page }, children }: { of: AuditReference; children: ReactNode }) {
  const link = page === null ? null : linkTo(page)
  if (!link) return <bdi>{children}</bdi>
  return (
    <Link {...link} className={styles.link}>
      <bdi>{children}</bdi>
    </Link>
  )
}

interface AuditObjectProps {
  subject: string
  about: AuditReference
  /** Whether the entries of this object alone are shown. */
  isAlone: boolean
}

/** The object of an entry, with a link to its page and one to its other entries. */
export function AuditObject({ subject, about, isAlone }: AuditObjectProps) {
  const { t } = useLingui()
  const names = useAuditNames()
  const name = about.name ?? names.subject(subject)
  return (
    <span className={styles.object}>
      <AuditName of={about}>{name}</AuditName>
      {about.isDeleted && (
        <Badge tone="neutral">
          <Trans>Was deleted</Trans>
        </Badge>
      )}
      {!isAlone && (
        <IconButton
          icon="filter"
          size="s"
          label={t`All entries about ${name}`}
          render={<Link to="/audit" search={{ subject }} />}
        />
      )}
    </span>
  )
}
