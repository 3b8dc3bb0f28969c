import { createStart } from '@tanstack/react-start'
import { securityMiddleware } from './platform/request/security-middleware'
import { crossSiteGuard, malformedCallGuard } from './platform/request/server-fn-guard'
import { visitMiddleware } from './platform/request/visit-middleware'

export const startInstance = createStart(() => ({
  requestMiddleware: [securityMiddleware, crossSiteGuard, malformedCallGuard, visitMiddleware],
}))
