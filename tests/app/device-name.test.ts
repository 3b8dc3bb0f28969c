import { expect, it } from 'vitest'
import { deviceName } from '#contract/device-name.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36`, 'Chrome', 'Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Safari/537.36 Edg/140.0`, 'Edge', 'Windows'],
  [
    `Mozilla/5.0 (Linux; Android 15) ${webkit} SamsungBrowser/29.0 Chrome/136.0 Safari/537.36`,
    'Samsung Internet',
    'Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19.0 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'macOS'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0 Whale/4.30 Safari/537.36`, 'Whale', 'Windows'],
  ['curl/8.14', undefined, undefined],
  ['', undefined, undefined],
])('%s', (userAgent, browser, system) => expect(deviceName(userAgent)).toEqual({ browser, system }))
