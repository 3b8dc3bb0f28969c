import { expect, test } from 'vitest'
import { type Permission, permission } from '#contract/permissions.ts'
import { usablePermissions } from './usable-permissions'

test('a permission to change something comes with the one that shows its page, and leaves with it', () => {
  expect(usablePermissions([], ['refunds:write'])).toEqual(['refunds:write', 'orders:read'])
  expect(usablePermissions(['orders:read', 'refunds:write', 'audit:read'], ['refunds:write', 'audit:read'])).toEqual([
    'audit:read',
  ])
  const isRead = (each: Permission) => each.endsWith(':read')
  const alone = permission.options.filter((each) => !usablePermissions([], [each]).some(isRead))
  expect(alone).toEqual([])
})
