import { expect, test } from 'vitest'
import { isApiPath, isProxied } from './http.ts'

test('a storefront in another process proxies the API, its pages, the console and the files', () => {
  for (const path of ['/api/v1/status', '/sandbox/bank', '/pay/portone/x', '/mailbox', '/mailbox/previews'])
    expect([path, isApiPath(path), isProxied(path)]).toEqual([path, true, true])
  for (const path of [
    '/admin',
    '/admin/orders',
    '/admin/assets/index.js',
    '/m/signed/x',
    '/p/x/master.m3u8',
    '/media/poster/x',
  ])
    expect([path, isApiPath(path), isProxied(path)]).toEqual([path, false, true])
  for (const path of ['/', '/administration', '/mailboxes', '/products/media', '/api/v10'])
    expect([path, isApiPath(path), isProxied(path)]).toEqual([path, false, false])
})
