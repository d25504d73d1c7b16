/** Whether `NODE_ENV` is `production`, where dev mode is refused. The library reads no other variable. */
export const isProduction = (): boolean => process.env.NODE_ENV === 'production';
