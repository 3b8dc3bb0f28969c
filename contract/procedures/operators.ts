import { operator } from '../operators.ts'
import { procedure } from './procedure.ts'

export const operatorProcedures = {
  operator: procedure('operator', 'GET', '/operator', { tag: 'Operators', summary: 'Whose bearer this is' }).output(
    operator,
  ),
}
