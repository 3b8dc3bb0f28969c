import { analyticsProcedures } from '#api/modules/analytics/analytics.routes.ts'
import { cardProcedures } from '#api/modules/billing/billing.routes.ts'
import { commerceProcedures } from '#api/modules/checkout/checkout.routes.ts'
import { tenancyProcedures } from '#api/modules/checkout/site.routes.ts'
import { contentProcedures } from '#api/modules/content/content.routes.ts'
import { joiningProcedures, operatorProcedures } from '#api/modules/identity/identity.routes.ts'
import { videoProcedures } from '#api/modules/media/media.routes.ts'
import { confirmAttachment, playbackProcedures } from '#api/modules/playback/playback.routes.ts'
import { accountProcedures } from '#api/modules/privacy/accounts.routes.ts'
import { catalogProcedures, engagementProcedures } from '#api/modules/storefront/storefront.routes.ts'
import { planProcedures } from '#api/modules/subscriptions/subscriptions.routes.ts'
import { inquiryProcedures } from '#api/modules/support/support.routes.ts'
import { os } from '#api/platform/http/procedures.ts'

/** Maps each procedure to its handler. The compiler reports a procedure without a handler. */
export const router = os.router({
  tenancy: tenancyProcedures,
  accounts: accountProcedures,
  catalog: { ...catalogProcedures, confirmAttachment },
  engagement: engagementProcedures,
  content: contentProcedures,
  commerce: commerceProcedures,
  playback: playbackProcedures,
  joining: joiningProcedures,
  plans: planProcedures,
  cards: cardProcedures,
  inquiries: inquiryProcedures,
  operators: operatorProcedures,
  videos: videoProcedures,
  analytics: analyticsProcedures,
})
