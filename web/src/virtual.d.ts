declare module "virtual:words/*" {
  const texts: Record<string, string | { one: string; other: string }>;
  export default texts;
}
