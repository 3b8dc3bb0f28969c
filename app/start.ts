import { createStart } from '@tanstack/react-start'
import { guestPageCache } from './platform/request/guest-page-cache'
import { requestContextMiddleware } from './platform/request/request-context-middleware'
import { securityMiddleware } from './platform/request/security-middleware'
import { crossSiteGuard, malformedRequestGuard } from './platform/request/server-fn-guard'

export const startInstance = createStart(() => ({
  requestMiddleware: [
    securityMiddleware,
    crossSiteGuard,
    requestContextMiddleware,
    malformedRequestGuard,
    guestPageCache,
  ],
}))
