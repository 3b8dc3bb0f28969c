import type { MailTemplate } from '#api/platform/mail/template.ts'
import type { WebhookDisabledReason } from '#contract/admin/webhooks.ts'

interface WebhookDisabled {
  url: string
  reason: Exclude<WebhookDisabledReason, 'STAFF'>
  path: string
}

/** Tells staff that an endpoint is sent nothing any more. */
export const webhookDisabledMail: MailTemplate<WebhookDisabled> = {
  name: 'webhook-disabled',
  samples: [
    { url: 'https://example.com/webhooks', reason: 'FAILING', path: '/admin/webhooks' },
    { url: 'https://example.com/webhooks', reason: 'GONE', path: '/admin/webhooks' },
  ],
  content: ({ url, reason, path }, { i18n, store }) => {
    const title = i18n._('A webhook endpoint of {store} was disabled', { store })
    const why =
      reason === 'GONE'
        ? i18n._('The endpoint answered that it no longer exists (status 410).')
        : i18n._('Every delivery to the endpoint has failed for 5 days.')
    return {
      subject: title,
      title,
      blocks: [
        { kind: 'text', text: i18n._('{store} no longer sends webhooks to {url}.', { store, url }) },
        { kind: 'text', text: why },
        {
          kind: 'text',
          text: i18n._('Once the endpoint works again, enable it and replay the failed deliveries.'),
        },
        { kind: 'link', label: i18n._('Open the endpoint'), path },
      ],
    }
  },
}
