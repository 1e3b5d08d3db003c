// Solves a cube: dotnet run -- "R U F" [http://127.0.0.1:8080]
using System;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

static class Program
{
    static async Task<int> Main(string[] args)
    {
        var service = args.Length > 1 ? args[1] : "http://127.0.0.1:8080";
        var body = JsonSerializer.Serialize(new { cube = args[0] });
        using var client = new HttpClient();
        using var content = new StringContent(body, Encoding.UTF8, "application/json");
        using var response = await client.PostAsync(service.TrimEnd('/') + "/solve", content);
        using var answer = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        var root = answer.RootElement;
        if (response.IsSuccessStatusCode)
        {
            Console.WriteLine(root.GetProperty("solution").GetString());
            return 0;
        }
        // Every error is a problem document (RFC 9457).
        Console.Error.WriteLine($"{root.GetProperty("code")}: {root.GetProperty("detail")}");
        return 1;
    }
}
