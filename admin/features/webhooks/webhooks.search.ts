import { webhookDeliveryStatus } from '#contract/enumerations.ts'
import { parameter, searchParser, shared } from '../../platform/search'

/** The filter and the page of an endpoint's log. */
export const parseWebhookSearch = searchParser({ status: parameter(webhookDeliveryStatus), cursor: shared.cursor })
export type WebhookSearch = ReturnType<typeof parseWebhookSearch>
