import type { MailTemplate } from '#api/platform/mail/template.ts'

interface Goodbye {
  name: string
  /** The number of orders whose records the law requires to retain. */
  retainedOrders: number
}

/** Sent after a withdrawal. */
export const goodbyeMail: MailTemplate<Goodbye> = {
  name: 'goodbye',
  samples: [
    { name: 'Sora', retainedOrders: 3 },
    { name: 'Sora', retainedOrders: 1 },
    { name: '', retainedOrders: 0 },
  ],
  content: ({ name, retainedOrders }, { i18n, store }) => {
    const title = i18n._('Your {store} account has been deleted', { store })
    const text = i18n._(
      '{hasName, select, yes {Hi {name}} other {Hi}}, we’ve deleted your account and personal data as you requested. Thank you for being with us.',
      { hasName: name ? 'yes' : 'no', name },
    )
    const retention = i18n._(
      'We keep the {orders, plural, one {record of one order} other {records of {orders} orders}}, without your name, for as long as the law requires.',
      { orders: retainedOrders },
    )
    return {
      subject: title,
      title,
      blocks: [{ kind: 'text', text }, ...(retainedOrders > 0 ? [{ kind: 'note' as const, text: retention }] : [])],
    }
  },
}
