import { whatTheProductDoes } from './statements/1-what-the-product-does.ts'
import { screensAndRoutes } from './statements/2-screens-and-routes.ts'
import { entities } from './statements/3-entities.ts'
import { states } from './statements/4-states.ts'
import { validationRules } from './statements/5-validation-rules.ts'
import { roles } from './statements/6-roles.ts'
import { calls } from './statements/7-calls.ts'
import { errors } from './statements/8-errors.ts'
import { constantsAndLimits } from './statements/9-constants.ts'
import type { Statement } from './statements/statement.ts'

/**
 * Every statement of the specification, in its order: one for each sentence, table row or list
 * item. Each names the test that shows it, or the file that decides what the specification leaves
 * open.
 */
export const statements: readonly Statement[] = [
  ...whatTheProductDoes,
  ...screensAndRoutes,
  ...entities,
  ...states,
  ...validationRules,
  ...roles,
  ...calls,
  ...errors,
  ...constantsAndLimits,
]
