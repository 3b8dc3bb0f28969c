import { useLingui } from '@lingui/react/macro'

const partsOf = (text: string): [kind: string, name: string] => {
  const at = text.indexOf(':')
  return at === -1 ? ['', text] : [text.slice(0, at), text.slice(at + 1)]
}

/** How the audit log names who has changed something, and what. Others stay as they are stored. */
export const useAuditNames = () => {
  const { t } = useLingui()
  const lists: Readonly<Record<string, string>> = {
    orders: t`Exports: orders`,
    members: t`Exports: members`,
    deposits: t`Exports: deposits`,
    subscriptions: t`Exports: subscriptions`,
    inquiries: t`Exports: inquiries`,
    mails: t`Exports: emails`,
    movements: t`Exports: payments and refunds`,
    audit: t`Exports: audit log`,
    'product-list': t`Exports: list of products`,
    comments: t`Exports: comments`,
    'suppressed-addresses': t`Exports: suppressed addresses`,
    videos: t`Exports: videos`,
    cases: t`Exports: cases`,
    'webhook-deliveries': t`Exports: webhook deliveries`,
  }
  /** What a store has once, or as a whole. */
  const wholes: Readonly<Record<string, string>> = {
    store: t`Store`,
    settings: t`Settings`,
    domains: t`Domains`,
    'payment-accounts': t`Payments`,
    'mail-server': t`Mail server`,
    'inquiry-topics': t`Topics of inquiries`,
    categories: t`Categories`,
    plans: t`Plans`,
    banners: t`Banners`,
    faq: t`FAQ`,
    pages: t`Pages`,
    catalog: t`Import and export`,
    'comments:blocked-phrases': t`Blocked words`,
    'mails:failed': t`Failed emails`,
    'mails:test': t`Test email`,
  }
  return {
    actor: (actor: string): string => {
      const [kind, name] = partsOf(actor)
      if (kind === 'admin') return t`Command line (${name})`
      if (kind === 'operator') return t`Token ${name}`
      return kind === 'staff' ? name : actor
    },
    subject: (subject: string): string => {
      const [kind, name] = partsOf(subject)
      if (kind === 'export') return lists[name] ?? subject
      if (kind === 'operator') return t`Token ${name}`
      if (kind === 'product') return t`Product ${name}`
      return kind === 'order' ? t`Order ${name}` : (wholes[subject] ?? subject)
    },
  }
}
