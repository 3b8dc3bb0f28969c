import { useLingui } from '@lingui/react/macro'
import { deviceName } from './device-name'

/** How a device is called in the page's language, by what its browser says of itself. */
export function useDeviceName() {
  const { t } = useLingui()
  return (userAgent: string) => {
    const { browser, system } = deviceName(userAgent)
    return browser && system ? t`${browser} on ${system}` : (browser ?? system ?? t`Unknown device`)
  }
}
