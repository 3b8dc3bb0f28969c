import { createStart } from '@tanstack/react-start'
import { guestPages } from './platform/request/guest-pages'
import { securityMiddleware } from './platform/request/security-middleware'
import { crossSiteGuard, malformedCallGuard } from './platform/request/server-fn-guard'
import { visitMiddleware } from './platform/request/visit-middleware'

export const startInstance = createStart(() => ({
  requestMiddleware: [securityMiddleware, crossSiteGuard, visitMiddleware, malformedCallGuard, guestPages],
}))
