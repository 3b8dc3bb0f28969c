import { useLingui } from '@lingui/react/macro'
import { deviceName } from '#contract/device-name.ts'

/** Returns a function that names a device in the console's language, given its `User-Agent`. */
export const useDeviceName = () => {
  const { t } = useLingui()
  return (userAgent: string): string => {
    const { browser, system } = deviceName(userAgent)
    return browser && system ? t`${browser} on ${system}` : (browser ?? system ?? t`Unknown device`)
  }
}
