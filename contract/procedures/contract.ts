import { adminProcedures } from './admin.ts'
import { analyticsProcedures } from './analytics.ts'
import { billingProcedures } from './billing.ts'
import { catalogProcedures } from './catalog.ts'
import { contentProcedures } from './content.ts'
import { engagementProcedures } from './engagement.ts'
import { identityProcedures } from './identity.ts'
import { mediaProcedures } from './media.ts'
import { orderProcedures } from './orders.ts'
import { playbackProcedures } from './playback.ts'
import { staffProcedures } from './staff.ts'
import { subscriptionProcedures } from './subscriptions.ts'
import { supportProcedures } from './support.ts'
import { installationProcedures, tenancyProcedures } from './tenancy.ts'
import { webhookProcedures } from './webhooks.ts'

/** The customer-scoped API: every procedure is below /api/v1/customers/{customerCode}. */
export const contract = {
  tenancy: tenancyProcedures,
  identity: identityProcedures,
  staff: staffProcedures,
  catalog: catalogProcedures,
  content: contentProcedures,
  engagement: engagementProcedures,
  orders: orderProcedures,
  billing: billingProcedures,
  subscriptions: subscriptionProcedures,
  support: supportProcedures,
  media: mediaProcedures,
  playback: playbackProcedures,
  analytics: analyticsProcedures,
  webhooks: webhookProcedures,
  admin: adminProcedures,
}
export type Contract = typeof contract

/** The procedures that are not scoped to a tenant, below /api/v1. */
export const installation = installationProcedures
