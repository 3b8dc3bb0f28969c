import { operator } from '../operators.ts'
import { call } from './call.ts'

export const operatorCalls = {
  operator: call('operator', 'GET', '/operator', { tag: 'Operators', summary: 'Whose bearer this is' }).output(
    operator,
  ),
}
