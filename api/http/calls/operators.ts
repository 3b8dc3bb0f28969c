import { os } from '../implementer.ts'
import { CallError } from '../problem.ts'

export const operatorCalls = {
  operator: os.operators.operator.handler(({ context: { customer, operator } }) => {
    if (!operator) throw new CallError('UNAUTHORIZED')
    const { name, scopes, createdAt, expiresAt } = operator
    return { name, customerCode: customer.code, scopes, createdAt, expiresAt }
  }),
}
