import { siteProcedures } from '#api/http/site-settings.ts'
import { analyticsProcedures } from '#api/modules/analytics/analytics.routes.ts'
import { cardProcedures } from '#api/modules/billing/billing.routes.ts'
import { catalogProcedures } from '#api/modules/catalog/catalog.routes.ts'
import { checkoutProcedures } from '#api/modules/checkout/checkout.routes.ts'
import { contentProcedures } from '#api/modules/content/content.routes.ts'
import { engagementProcedures } from '#api/modules/engagement/engagement.routes.ts'
import { joiningProcedures, memberProcedures, operatorProcedures } from '#api/modules/identity/identity.routes.ts'
import { videoProcedures } from '#api/modules/media/media.routes.ts'
import { confirmAttachment, playbackProcedures } from '#api/modules/playback/playback.routes.ts'
import { privacyProcedures } from '#api/modules/privacy/privacy.routes.ts'
import { meProcedures, ownProductProcedures, productProcedures } from '#api/modules/storefront/storefront.routes.ts'
import { planProcedures } from '#api/modules/subscriptions/subscriptions.routes.ts'
import { inquiryProcedures } from '#api/modules/support/support.routes.ts'
import { contractProcedures } from '#api/modules/tenancy/tenancy.routes.ts'
import { os } from '#api/platform/http/procedures.ts'

/**
 * Maps each procedure of the contract to the handler of its module. The compiler reports a
 * procedure without a handler.
 */
export const router = os.router({
  tenancy: { ...contractProcedures, ...siteProcedures },
  accounts: { ...memberProcedures, ...meProcedures, ...privacyProcedures },
  catalog: { ...catalogProcedures, ...productProcedures, confirmAttachment },
  engagement: { ...engagementProcedures, ...ownProductProcedures },
  content: contentProcedures,
  checkout: checkoutProcedures,
  playback: playbackProcedures,
  joining: joiningProcedures,
  plans: planProcedures,
  cards: cardProcedures,
  inquiries: inquiryProcedures,
  operators: operatorProcedures,
  videos: videoProcedures,
  analytics: analyticsProcedures,
})
