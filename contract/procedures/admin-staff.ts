import * as z from 'zod/mini'
import { savedView, savedViewChange, savedViewForm } from '../admin/views.ts'
import { savedViewId } from '../ids.ts'
import { procedure } from './procedure.ts'

const tag = 'Staff'

/** The views of lists that staff save. */
export const savedViewProcedures = {
  views: procedure('staff', 'GET', '/staff/views', {
    tag,
    summary: 'List saved views',
    description: 'The caller’s own views of all lists, and those that others share.',
  }).output(z.object({ items: z.array(savedView) })),
  saveView: procedure('staff', 'POST', '/staff/views', {
    tag,
    summary: 'Save a view of a list',
    description: 'Filters, sorting and columns of a list, under a name. A person can have 100 views at a store.',
    status: 201,
  })
    .input(savedViewForm)
    .output(savedView),
  changeView: procedure('staff', 'PATCH', '/staff/views/{id}', {
    tag,
    summary: 'Change a saved view',
    description:
      'Its owner can change it. Staff with the permission staff:write can change the name and the parameters of a shared view.',
  })
    .input(savedViewChange)
    .output(savedView),
  deleteView: procedure('staff', 'DELETE', '/staff/views/{id}', {
    tag,
    summary: 'Delete a saved view',
    description: 'For those who can change it.',
    status: 204,
  }).input(z.object({ id: savedViewId })),
}
