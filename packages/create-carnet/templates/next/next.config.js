/** @type {import('next').NextConfig} */
export default {
  // Carnet loads its adapters by name, when it starts: it is not bundled.
  serverExternalPackages: ['@carnet/provider'],
};
